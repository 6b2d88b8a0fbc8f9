//! One reading of a component: the names at its edge, the validator's types behind them, and whether it can be compiled in reasonable time.

use wasmparser::{
    BinaryReaderError, ComponentInstance, Encoding, FuncToValidate, FuncValidatorAllocations, FunctionBody, Operator, Parser, Payload,
    ValidPayload, Validator, ValidatorResources,
    component_types::{ComponentAnyTypeId, ComponentEntityType, ComponentInstanceTypeId},
    types::Types,
};

use super::refusal::AdmissionError;
use crate::{
    engine::FEATURES,
    limits::{MAX_COMPONENT_INSTANTIATIONS, MAX_FUNCTIONS, MAX_NESTED_BLOCKS, MAX_NESTED_LOOPS},
};

/// The names at a component's edge, with the validator's types to look behind them.
pub struct Surface {
    /// Names of the exports.
    pub exports: Vec<String>,
    imports: Vec<String>,
    types: Types,
}

impl Surface {
    /// Validates the whole component, so that the compiler meets only what plugins may use, and no more of it than it can digest.
    pub fn read(bytes: &[u8]) -> Result<Self, AdmissionError> {
        let mut validator = Validator::new_with_features(FEATURES);
        let (mut walk, mut types) = (Walk::default(), None);
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(invalid)?;
            walk.look_at(&payload)?;
            match validator.payload(&payload).map_err(invalid)? {
                ValidPayload::Func(function, body) => walk.function(function, &body)?,
                ValidPayload::End(known) => types = Some(known),
                ValidPayload::Ok | ValidPayload::Parser(_) => {}
            }
        }
        let types = types.expect("the parser ends with the end of the outermost component, or with an error");
        Ok(Self { exports: walk.exports, imports: walk.imports, types })
    }

    /// Imports that give the component more than types: `interface#function` for instances, the bare name for everything else.
    pub fn function_imports(&self) -> Vec<String> {
        let mut names = Vec::new();
        for name in &self.imports {
            match self.types.component_item_for_import(name).map(|item| item.ty) {
                Some(ComponentEntityType::Instance(instance)) => names.extend(self.used_of(name, instance)),
                Some(ty) if is_plain_type(ty) => {}
                _ => names.push(name.clone()),
            }
        }
        names
    }

    /// Whether a function of this name is exported.
    pub fn exports_function(&self, name: &str) -> bool {
        matches!(self.types.component_item_for_export(name).map(|item| item.ty), Some(ComponentEntityType::Func(_)))
    }

    fn used_of(&self, name: &str, instance: ComponentInstanceTypeId) -> Vec<String> {
        let exports = &self.types[instance].exports;
        let used = exports.iter().filter(|(_, item)| !is_plain_type(item.ty));
        used.map(|(member, _)| format!("{name}#{member}")).collect()
    }
}

/// Types are harmless; a resource is a type whose methods the host would have to give.
fn is_plain_type(ty: ComponentEntityType) -> bool {
    matches!(ty, ComponentEntityType::Type { created, .. } if !matches!(created, ComponentAnyTypeId::Resource(_)))
}

/// What is collected and counted on the way through the component.
#[derive(Default)]
struct Walk {
    imports: Vec<String>,
    exports: Vec<String>,
    depth: usize,
    instantiations: usize,
    functions: usize,
    allocations: FuncValidatorAllocations,
}

impl Walk {
    fn look_at(&mut self, payload: &Payload<'_>) -> Result<(), AdmissionError> {
        match payload {
            Payload::Version { encoding: Encoding::Module, .. } if self.depth == 0 => return Err(AdmissionError::CoreModule),
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => self.depth += 1,
            Payload::End(_) => self.depth = self.depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if self.depth == 0 => {
                for import in section.clone() {
                    self.imports.push(import.map_err(invalid)?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if self.depth == 0 => {
                for export in section.clone() {
                    self.exports.push(export.map_err(invalid)?.name.name.to_owned());
                }
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section.clone() {
                    let instantiates = matches!(instance.map_err(invalid)?, ComponentInstance::Instantiate { .. });
                    self.instantiations += usize::from(instantiates);
                }
                within("instantiations of components", self.instantiations, MAX_COMPONENT_INSTANTIATIONS)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Validates a function, and bounds what the compiler needs more than proportional time for.
    fn function(&mut self, function: FuncToValidate<ValidatorResources>, body: &FunctionBody<'_>) -> Result<(), AdmissionError> {
        self.functions += 1;
        within("functions", self.functions, MAX_FUNCTIONS)?;
        let mut validator = function.into_validator(std::mem::take(&mut self.allocations));
        let mut reader = body.get_binary_reader();
        validator.read_locals(&mut reader).map_err(invalid)?;
        reader.set_features(FEATURES);
        let mut nesting = Nesting::default();
        while !reader.eof() {
            let at = reader.original_position();
            nesting.follow(&reader.peek_operator(&validator.visitor(at)).map_err(invalid)?)?;
            reader.visit_operator(&mut validator.visitor(at)).map_err(invalid)?.map_err(invalid)?;
        }
        reader.finish_expression(&validator.visitor(reader.original_position())).map_err(invalid)?;
        self.allocations = validator.into_allocations();
        Ok(())
    }
}

/// The blocks that are open at a place in a function.
#[derive(Default)]
struct Nesting {
    /// For each open block, whether it is a loop.
    open: Vec<bool>,
    loops: usize,
}

impl Nesting {
    fn follow(&mut self, operator: &Operator<'_>) -> Result<(), AdmissionError> {
        match operator {
            Operator::Block { .. } | Operator::If { .. } => self.open.push(false),
            Operator::Loop { .. } => {
                self.open.push(true);
                self.loops += 1;
            }
            Operator::End => self.loops -= usize::from(self.open.pop().unwrap_or(false)),
            _ => return Ok(()),
        }
        within("nested blocks in one function", self.open.len(), MAX_NESTED_BLOCKS)?;
        within("nested loops in one function", self.loops, MAX_NESTED_LOOPS)
    }
}

fn within(what: &'static str, found: usize, most: usize) -> Result<(), AdmissionError> {
    if found > most { Err(AdmissionError::TooComplex { what, found, most }) } else { Ok(()) }
}

fn invalid(error: BinaryReaderError) -> AdmissionError {
    AdmissionError::Invalid(format!("{} at byte {}", error.message(), error.offset()))
}

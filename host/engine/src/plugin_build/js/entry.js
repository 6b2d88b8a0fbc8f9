import * as log from "code-polishy:plugin/log@1.1.0";
import plugin from PLUGIN;

export const { describe, EXPORTED } = plugin.component(MANIFEST, log.write);

import json
import unittest

from code_polishy import Failure
from code_polishy.options import read, schema

OPTIONS = {
    "depth": {"type": "integer", "default": 1},
    "style": {"type": "string", "enum": ["short", "long"]},
    "names": {"type": "array", "items": {"type": "string"}, "default": []},
    "nested": {"type": "object", "properties": {"deep": {"type": "boolean"}}},
}


class Options(unittest.TestCase):
    def refusal(self, said: str) -> str:
        with self.assertRaises(Failure, msg=said) as refused:
            read(OPTIONS, said)
        self.assertEqual(refused.exception.code, "bad-options")
        return refused.exception.message

    def test_what_is_absent_is_the_default_and_nobody_shares_it(self):
        options = read(OPTIONS, "{}")
        self.assertEqual(options, {"depth": 1, "style": None, "names": [], "nested": None})
        options["names"].append("mine")
        self.assertEqual(read(OPTIONS, "{}")["names"], [])

    def test_what_is_described_is_read(self):
        said = '{"depth":2,"names":["a"],"nested":{"deep":true},"style":"long"}'
        self.assertEqual(read(OPTIONS, said), {"depth": 2, "style": "long", "names": ["a"], "nested": {"deep": True}})

    def test_what_is_not_described_is_refused_by_its_name(self):
        self.assertEqual(self.refusal('{"dept":2}'), "unknown option `dept`")
        self.assertEqual(self.refusal('{"nested":{"deeper":1}}'), "unknown option `nested.deeper`")
        self.assertEqual(self.refusal('{"depth":1.5}'), "the option `depth` is no integer")
        self.assertEqual(self.refusal('{"depth":true}'), "the option `depth` is no integer")
        self.assertEqual(self.refusal('{"names":["a",1]}'), "the option `names.1` is no string")
        self.assertEqual(self.refusal('{"nested":[]}'), "the option `nested` is no object")
        self.assertEqual(self.refusal('{"style":"tall"}'), 'the option `style` is none of "short", "long"')
        self.assertEqual(self.refusal('{"depth":null}'), "the option `depth` is no integer")
        for said in ["", "[]", "null", "1"]:
            self.refusal(said)

    def test_the_schema_is_closed_at_every_depth(self):
        described = json.loads(schema(OPTIONS))
        self.assertIs(described["additionalProperties"], False)
        self.assertIs(described["properties"]["nested"]["additionalProperties"], False)
        self.assertEqual(described["properties"]["depth"], OPTIONS["depth"])
        self.assertEqual(json.loads(schema({})), {"type": "object", "properties": {}, "additionalProperties": False})


if __name__ == "__main__":
    unittest.main()

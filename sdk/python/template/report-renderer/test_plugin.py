import unittest

from code_polishy import Failure
from plugin import Plugin


class Render(unittest.TestCase):
    def test_each_finding_has_one_line(self):
        findings = [{"subject": "unit", "message": "1\n2"}]
        report = {"protocol": "code-polishy-report/v1", "gate": "merge", "status": "failed", "findings": findings}
        [artifact] = Plugin().render(report, {})
        self.assertEqual(artifact.content, "merge gate: failed\n- unit: 1 2\n")

    def test_what_is_no_report_is_refused(self):
        with self.assertRaises(Failure) as refused:
            Plugin().render({}, {})
        self.assertEqual(refused.exception.code, "unknown-report")


if __name__ == "__main__":
    unittest.main()

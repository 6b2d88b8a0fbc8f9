import json

import plugin
from code_polishy.component import component

WitWorld, EXPORTED = component(plugin.Plugin, json.loads(MANIFEST))

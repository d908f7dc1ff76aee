import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_TRAINING_URL"]
    + "/v1/preview/base-models",
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

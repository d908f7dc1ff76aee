import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_INFERENCE_URL"]
    + "/models/demo%2Ftiny",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

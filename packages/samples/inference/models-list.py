import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_INFERENCE_URL"]
    + "/models",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Compat-Project": "harbor/support-desk",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

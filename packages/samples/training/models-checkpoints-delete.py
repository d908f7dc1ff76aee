import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_TRAINING_URL"]
    + "/v1/preview/models/6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30/checkpoints",
    method="DELETE",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {"steps": [0, 1]}
    ).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_TRAINING_URL"]
    + "/v1/preview/models",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Idempotency-Key": "create-agent-1",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {
            "project": "support-desk",
            "name": "agent-1",
            "base_model": "demo/tiny",
            "return_existing": True,
        }
    ).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_TRAINING_URL"]
    + "/v1/preview/training-jobs/d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

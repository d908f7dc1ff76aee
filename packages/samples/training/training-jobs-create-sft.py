import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_TRAINING_URL"]
    + "/v1/preview/sft-training-jobs",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {
            "model_id": "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
            "training_data_url": "artifact:///harbor/support-desk/conversations:v3",
            "config": {"batch_size": "auto"},
        }
    ).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

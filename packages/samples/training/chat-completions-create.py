import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_TRAINING_URL"]
    + "/v1/chat/completions",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {
            "model": "artifact:///harbor/support-desk/agent-1:step2",
            "messages": [
                {
                    "role": "user",
                    "content": "Does the 9:40 to Bergen carry bicycles?",
                },
            ],
        }
    ).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

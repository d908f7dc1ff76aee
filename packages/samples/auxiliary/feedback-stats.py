import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["TRAINYARD_AUXILIARY_URL"]
    + "/feedback/stats",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['TRAINYARD_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {
            "project_id": "harbor/support-desk",
            "start": "2026-11-04T00:00:00Z",
            "end": "2026-11-05T00:00:00Z",
            "metrics": [
                {
                    "json_path": "output.score",
                    "aggregations": ["avg"],
                    "percentiles": [95],
                },
            ],
        }
    ).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))

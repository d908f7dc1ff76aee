curl -sS --fail-with-body "$TRAINYARD_AUXILIARY_URL/feedback/stats" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "project_id": "harbor/support-desk",
    "start": "2026-11-04T00:00:00Z",
    "end": "2026-11-05T00:00:00Z",
    "metrics": [
      {
        "json_path": "output.score",
        "aggregations": ["avg"],
        "percentiles": [95]
      }
    ]
  }'

curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/preview/base-models"

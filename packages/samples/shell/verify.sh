trainyard verify --service training --operation models.create --operation health.check

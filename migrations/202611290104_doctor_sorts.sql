-- Lists are sorted by the heads of these columns; the id follows, as it ends every order.
create index doctor_opening_apply_created on doctor_opening_apply (created_at, id);
create index doctor_service_opening_price on doctor_service_opening (price_fen, id);
create index doctor_service_opening_updated on doctor_service_opening (updated_at, id);
create index doctor_attribution_change_created on doctor_attribution_change (created_at, id);

-- The cards of a person are asked for with each of his orders.
create index card_card_patient on card_card (patient_id) where patient_id is not null;

-- Assistants whom no doctor has were not known: they saw nobody of those whom they serve at a desk or in single chats.
insert into patient_assistant (operator_id, user_id) select operator_id, user_id from doctor_assistant on conflict do nothing;

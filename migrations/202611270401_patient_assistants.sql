-- Assistants whom no doctor has were not known: they saw nobody of those whom they serve at a desk or in single chats.
insert into patient_assistant (operator_id, user_id) select operator_id, user_id from doctor_assistant on conflict do nothing;
comment on table patient_assistant is 'Every assistant with a login, as the domain doctor tells of him; whose patients he sees follows from it.';

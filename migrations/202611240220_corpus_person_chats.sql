-- The single chats of a person, by the person: the engine asks for those of a thousand persons at once.
create index consultation_im_user_ref on consultation_im_user (ref_id) where ref_id is not null;
create index consultation_im_conversation_high on consultation_im_conversation (user_high) where type = 'C2C';
create index consultation_medical_group_person on consultation_medical_group (patient_id);

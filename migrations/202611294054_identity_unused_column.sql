-- Assistants name their account, not the other way round.
alter table identity_staff_user drop column assistant_id;

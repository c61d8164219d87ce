-- The default desk exists from the first start on, before there is any assistant: without named ones all assistants receive there.
alter table consultation_guidance_desk
  drop constraint consultation_guidance_desk_assistant_ids_check,
  add check (desk_code = 'DEFAULT' or cardinality(assistant_ids) >= 1);

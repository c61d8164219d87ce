-- Materials of follow-up messages carry marks too.

alter table content_tag_group drop constraint content_tag_group_object_type_check;
alter table content_tag_group add constraint content_tag_group_object_type_check
  check (object_type in ('PATIENT', 'DOCTOR', 'MEDICINE', 'CHANNEL', 'DRUGSTORE', 'MATERIAL'));
alter table content_mark_binding drop constraint content_mark_binding_object_type_check;
alter table content_mark_binding add constraint content_mark_binding_object_type_check
  check (object_type in ('PATIENT', 'DOCTOR', 'MEDICINE', 'CHANNEL', 'DRUGSTORE', 'MATERIAL'));
alter table content_mark_rule drop constraint content_mark_rule_object_type_check;
alter table content_mark_rule add constraint content_mark_rule_object_type_check
  check (object_type in ('PATIENT', 'DOCTOR', 'MEDICINE', 'CHANNEL', 'DRUGSTORE', 'MATERIAL'));

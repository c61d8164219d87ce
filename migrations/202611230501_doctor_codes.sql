-- Columns that hold codes of the contract's dictionaries list them, so that the table types know them.
alter table doctor_card add check (show_fields <@ array['AVATAR', 'DEPARTMENT', 'DISEASES', 'SPECIALTY', 'INTRO']);
alter table doctor_qual_apply add check (reject_reasons <@ array['N01', 'N02', 'N03', 'N04', 'N05', 'N06', 'N07', 'N08', 'N99']);
alter table doctor_qual_check add check (check_code in ('Q01', 'Q02', 'Q03', 'Q04', 'Q05', 'Q06', 'Q07', 'Q08', 'Q09', 'Q10', 'Q11'));
alter table doctor_service_category add check (icon in ('CHAT', 'EXPERT', 'FOLLOW', 'REPORT', 'CROWN', 'PHONE', 'VIDEO', 'HEART'));
alter table doctor_service_item add check (refund_rule_code in ('TIME_NONE', 'REPLIES_SHARE', 'DAYS_SHARE'));
alter table doctor_consult_order add check (item_type in ('TEXT', 'PHONE', 'VIDEO', 'FOLLOW_UP', 'REPORT', 'SECOND_OPINION', 'PRIVATE'));
alter table doctor_pay_notice add check (pay_channel in ('WECHAT', 'ALIPAY', 'FREE'));

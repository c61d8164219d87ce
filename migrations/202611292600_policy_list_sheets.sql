-- The sheet that a list was read from, by its name; null where the file has no sheets or nobody uploaded one.
alter table policy_insured_batch add column sheet_read text;
-- Rows that whoever looks at the uploaded sheet does not see.
alter table policy_insured_batch_row add column hidden boolean not null default false;

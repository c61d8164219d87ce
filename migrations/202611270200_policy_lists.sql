-- Lists of insured persons. What a row is to do stands with the row, so that many take effect by few statements.
alter table policy_insured_batch
  -- policies that the list was made for; policy_ids are those that its rows name
  add column chosen_policy_ids bigint[] not null default '{}',
  -- {policy: number of its endorsements when its first row was decided}: another number means that rows may be stale
  add column policy_seqs jsonb not null default '{}',
  -- place behind the last row that was applied: first whoever is nobody's dependant, in the order of the sheet, then dependants
  add column applied_upto bigint not null default 0,
  -- rows of the batch that is reversed which stay as they are
  add column left_out bigint[] not null default '{}',
  -- false: it took effect, or was taken back, and lists of persons follow
  add column lists_fresh boolean not null default true;

alter table policy_insured_batch_row drop column before_cipher;
alter table policy_insured_batch_row drop column slice_ids;
-- cells that somebody corrected in place; what the sheet said stays beside them
alter table policy_insured_batch_row rename column facts_cipher to corrected_cipher;
-- the hash of the main insured's certificate: of which type it is the list does not say
alter table policy_insured_batch_row rename column main_person_key to main_id_no_hash;
alter table policy_insured_batch_row
  -- false: a person who is missing from a full list, or a row that takes another one back
  add column from_sheet boolean not null default true,
  -- columns of the person that are written, sensitive ones encrypted
  add column person jsonb,
  -- {write: [...], supersede: [...]}
  add column change jsonb,
  -- lines of the premium order
  add column lines jsonb,
  -- what the written columns held before, for undoing
  add column before jsonb,
  -- first day whose cover changes
  add column first_day date;
create index policy_insured_batch_row_item on policy_insured_batch_row (insured_item_id) where insured_item_id is not null;
create index policy_insured_item_employee on policy_insured_item (policy_id, employee_no) where employee_no is not null;

-- who sees the template where somebody sees one insurer alone
alter table policy_insured_template
  add column insurer_id bigint generated always as (case when insurer_key ~ '^[0-9]{1,18}$' then insurer_key::bigint end) stored;

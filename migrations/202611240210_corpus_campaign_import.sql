-- Persons of an audience who came by an imported file, beside those who were typed.
alter table corpus_campaign add column imported_patient_ids bigint[] not null default '{}';
-- An audience may come by a file alone, after its campaign was saved: who looks at it is refused one of nobody.
do $$
declare wanted text;
begin
  select conname into wanted from pg_constraint
   where conrelid = 'corpus_campaign'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%cardinality(disease_ids)%' and pg_get_constraintdef(oid) like '%include_patient_ids%';
  if wanted is not null then execute format('alter table corpus_campaign drop constraint %I', wanted); end if;
end $$;

-- Who stood at a hospital that was merged, also at a second place: what he had at both before, so that an undo restores it.
alter table doctor_hospital_merge
  add column main boolean not null default true,
  add column cert_ids bigint[] not null default '{}',
  add column practices jsonb not null default '[]';
create index doctor_cert_hospital on doctor_cert (hospital_id) where hospital_id is not null;

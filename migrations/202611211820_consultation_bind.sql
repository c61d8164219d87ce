-- Who serves a doctor, fed by doctor's events: the pool of his groups.
create table consultation_bind_copy (
  doctor_id bigint not null,
  assistant_id bigint not null,
  role text not null check (role in ('PRIMARY', 'BACKUP')),
  updated_at timestamptz not null,
  primary key (doctor_id, assistant_id)
);
create index consultation_bind_copy_assistant on consultation_bind_copy (assistant_id);

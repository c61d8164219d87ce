-- Where a doctor works and which channel brought him, for the scope and the filters of visit records; fed by events.
create table consultation_doctor_place (
  doctor_id bigint primary key,
  doctor_name text not null,
  hospital_id bigint,
  hospital_name text,
  department_id bigint,
  adcode text,
  channel_id bigint,
  seq int not null default 0,
  updated_at timestamptz not null
);
create index consultation_doctor_place_hospital on consultation_doctor_place (hospital_id, department_id);

create index consultation_inquiry_status on consultation_inquiry (server_status, created_at desc);
create index consultation_visit_record_due on consultation_visit_record (confirmed_at) where state = 'CONFIRMED';
create index consultation_group_board_first on consultation_group_board (at) where action = 'FIRST_REPLY';

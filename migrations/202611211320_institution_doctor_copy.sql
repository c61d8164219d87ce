-- Where doctors work, as doctor's events say: counts of hospitals and departments come from here.
create table institution_doctor_copy (
  doctor_id bigint primary key,
  hospital_id bigint,
  department_id bigint,
  seq bigint not null
);
create index on institution_doctor_copy (hospital_id);
create index on institution_doctor_copy (department_id);
alter table institution_goods_copy add column seq bigint not null default 0;
create index institution_hospital_batch on institution_hospital (import_batch_no) where import_batch_no is not null;

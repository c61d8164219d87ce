-- A refund that is refused or partial leads the order back into service: until then the patient cannot buy the same once more.
update doctor_consult_order o set ended_at = o.updated_at
where o.state = 'REFUNDING' and o.ended_at is null
  and exists (select 1 from doctor_consult_order n where n.patient_id = o.patient_id and n.opening_id = o.opening_id and n.id > o.id and n.state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING') and n.ended_at is null);
drop index doctor_consult_order_live;
create unique index doctor_consult_order_live on doctor_consult_order (patient_id, opening_id) where state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING') and ended_at is null;

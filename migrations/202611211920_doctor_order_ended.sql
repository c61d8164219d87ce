-- A service that is over may be bought again at once; its money is settled a day later.
drop index doctor_consult_order_live;
create unique index doctor_consult_order_live on doctor_consult_order (patient_id, opening_id) where state in ('WAIT_PAY', 'PAID', 'SERVING') and ended_at is null;

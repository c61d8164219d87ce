-- A parcel that a table told is known by the number of its import.
alter table order_shipment drop column import_batch_id;
alter table order_shipment add column import_batch_no text;
create index order_shipment_import on order_shipment (import_batch_no) where import_batch_no is not null;
-- What stands in front of long lists: what still waits.
create index order_fulfilment_waiting on order_fulfilment (
  (case when state = 'SIGNED' then 1 when state in ('REJECTED', 'CANCELLED', 'RETURNED') then 2 else 0 end), created_at desc, id desc
);

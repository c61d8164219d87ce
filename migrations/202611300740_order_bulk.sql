-- A parcel that a table told is known by the number of its import; lists of parts, parcels and exceptions show first what still waits.
alter table order_shipment drop column import_batch_id;
alter table order_shipment add column import_batch_no text;
create index order_shipment_import on order_shipment (import_batch_no) where import_batch_no is not null;

create index order_fulfilment_standing on order_fulfilment (
  (case when state in ('SIGNED') then 1 when state in ('REJECTED', 'CANCELLED', 'RETURNED') then 2 else 0 end), id desc
);
create index order_shipment_number on order_shipment (waybill_no);
create index order_shipment_standing on order_shipment (
  (case when track_state in ('SIGNED') then 1 when track_state in ('RETURNED') then 2 else 0 end), id desc
);
create index order_exception_created on order_exception (created_at desc, id desc);
create index order_exception_standing on order_exception (
  (case when state in ('RESOLVED') then 1 when state in ('IGNORED') then 2 else 0 end), id desc
);
create index order_exception_part on order_exception (fulfilment_id) where fulfilment_id is not null;
create index order_shipment_created on order_shipment (created_at desc, id desc);

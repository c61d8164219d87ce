-- What is due is delivered in the order of its events: an import leaves thousands at once.
create index kernel_outbox_delivery_order on kernel_outbox_delivery (outbox_id) where state = 'PENDING';

-- Cards in use and those that wait to be activated stand before those that were never given to anybody, and these before what is over.
create index card_card_standing on card_card (
  (case when state in ('CREATED', 'IN_STOCK') then 1 when state in ('DEPLETED', 'EXPIRED', 'VOIDED', 'REPLACED') then 2 else 0 end),
  id desc
);
create index card_change_standing on card_change ((case when status in ('APPROVED', 'REJECTED', 'WITHDRAWN') then 1 else 0 end), id desc);
create index card_settlement_bill_standing on card_settlement_bill (
  (case when status in ('SETTLED') then 1 when status in ('VOIDED') then 2 else 0 end),
  id desc
);

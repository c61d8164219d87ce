-- Lists are sorted by the heads of these columns; the id follows, as it ends every order.
create index card_grant_created on card_grant (created_at, id);
create index card_settlement_bill_net on card_settlement_bill (net_amount, id);

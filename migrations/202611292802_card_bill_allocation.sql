-- One receipt may pay a bill several times, by several allocations, and each of them may be taken back.
alter table card_bill_payment add column allocation_key text;
update card_bill_payment set allocation_key = payment_no;
alter table card_bill_payment alter column allocation_key set not null;
alter table card_bill_payment drop constraint card_bill_payment_bill_id_payment_no_key;
alter table card_bill_payment add constraint card_bill_payment_once unique (bill_id, allocation_key);
alter table card_bill_payment add check (amount <> 0);

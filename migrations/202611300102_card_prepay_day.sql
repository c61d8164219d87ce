-- Banks use their numbers again: money that came in is one by its number and its day.
alter table card_fund_prepay drop constraint card_fund_prepay_bank_serial_no_key;
alter table card_fund_prepay add unique (bank_serial_no, received_on);

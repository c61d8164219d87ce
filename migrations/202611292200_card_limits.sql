-- What an order may cost stands on its own row, also where no event told of it yet: then by the word of whoever holds value for it first.
alter table card_order_copy
  add column told_by text not null default 'EVENT' check (told_by in ('EVENT', 'CALLER'));

-- Who told the counterparty's amount of a line: above a limit somebody else decides, and confirming is another person's act.
alter table card_settlement_line add column disputed_by bigint;

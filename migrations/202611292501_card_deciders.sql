-- Who told what the counterparty says of a line, and who decided it, by the names that a page shows to whoever is to confirm.
alter table card_settlement_line
  add column disputed_by_name text,
  add column resolved_by_name text;

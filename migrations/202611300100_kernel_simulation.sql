-- What the stand-ins for a bank, the tax platform, the OMS and carriers were asked; no person or account is in it.
create table kernel_simulation (
  port text not null check (port in ('BANK', 'TAX', 'OMS', 'LOGISTICS')),
  ref text not null,
  -- a batch, or whatever else is asked for as a whole
  group_ref text not null,
  facts jsonb not null,
  taken_at timestamptz not null,
  -- nothing is answered before; null: never
  answers_at timestamptz,
  primary key (port, ref)
);
create index kernel_simulation_group on kernel_simulation (port, group_ref, ref);

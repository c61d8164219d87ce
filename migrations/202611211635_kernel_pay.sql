-- Payments and refunds of the embedded pay channel, which stands in where no real one is configured.
create table kernel_pay_simulation (
  channel text not null check (channel in ('WECHAT', 'ALIPAY')),
  trade_no text not null,
  amount_fen bigint not null check (amount_fen > 0),
  -- what was bought, as the payer reads it
  subject text not null,
  state text not null check (state in ('WAITING', 'PAID', 'FAILED', 'CLOSED')),
  -- queries answer UNKNOWN until this time
  unknown_until timestamptz,
  channel_trade_no text unique,
  paid_at timestamptz,
  created_at timestamptz not null,
  primary key (channel, trade_no),
  check ((state = 'PAID') = (paid_at is not null)),
  check ((state = 'PAID') = (channel_trade_no is not null))
);
create table kernel_pay_simulated_refund (
  channel text not null,
  refund_no text not null,
  trade_no text not null,
  amount_fen bigint not null check (amount_fen > 0),
  state text not null check (state in ('SUCCESS', 'FAILED')),
  unknown_until timestamptz,
  channel_refund_no text not null unique,
  created_at timestamptz not null,
  primary key (channel, refund_no),
  foreign key (channel, trade_no) references kernel_pay_simulation (channel, trade_no)
);

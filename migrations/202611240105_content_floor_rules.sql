-- Floors that choose what they show by marks, that are for some viewers only, and that lead on.

alter table content_floor
  add column more_link text not null default '' check (char_length(more_link) <= 200),
  add column background text not null default '' check (background ~ '^(#[0-9a-f]{6})?$'),
  add column data_mode text not null default 'MANUAL' check (data_mode in ('MANUAL', 'RULE')),
  add column rule jsonb,
  add column audience jsonb not null default '{}' check (jsonb_typeof(audience) = 'object');
alter table content_floor add check ((data_mode = 'RULE') = (rule is not null));
alter table content_floor add check (data_mode = 'MANUAL' or (floor_type in ('GOODS', 'DOCTOR') and jsonb_array_length(items) = 0));

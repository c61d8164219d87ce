-- Promotion tags: marks of groups of their own that customers see on the card of a medicine.

alter table content_tag_group
  add column kind text not null default 'MARK' check (kind in ('MARK', 'PROMOTION')),
  add constraint content_tag_group_promotion check (kind = 'MARK' or (object_type = 'MEDICINE' and not sensitive)),
  add constraint content_tag_group_kind unique (id, kind);

create table content_promotion_tag (
  mark_id bigint primary key,
  group_id bigint not null,
  kind text not null default 'PROMOTION' check (kind = 'PROMOTION'),
  display_text text not null check (char_length(display_text) between 1 and 6),
  style text not null check (style in ('CORNER', 'PILL', 'TEXT')),
  start_at timestamptz,
  end_at timestamptz,
  priority int not null default 50 check (priority between 1 and 99),
  pages text[] not null check (cardinality(pages) > 0 and pages <@ array['MP_HOME', 'MP_MALL', 'MP_DRUG_DETAIL']),
  foreign key (mark_id, group_id) references content_mark (id, group_id) on delete cascade,
  foreign key (group_id, kind) references content_tag_group (id, kind),
  check (end_at > start_at)
);
create index content_promotion_tag_priority on content_promotion_tag (priority desc, mark_id desc);

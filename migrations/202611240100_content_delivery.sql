-- Deliveries: banners and advertisements in the places of the clients' pages, what was shown to whom, and its counts.

create table content_delivery (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('BANNER', 'AD')),
  delivery_no text not null unique,
  name text not null check (char_length(name) between 1 and 30),
  page_code text not null references content_page_layout (page_code),
  position_code text not null,
  image_file_id bigint,
  alt_text text not null default '' check (char_length(alt_text) <= 30),
  link_type text not null check (link_type in ('NONE', 'MINI_PATH', 'H5', 'MEDICINE', 'DOCTOR', 'OTHER_MP')),
  link_value text not null default '' check (char_length(link_value) <= 200),
  link_params text not null default '' check (char_length(link_params) <= 200),
  -- the medicine or doctor that link_value numbers
  link_object_id bigint,
  start_at timestamptz not null,
  end_at timestamptz not null,
  weekdays int[] not null default '{}' check (weekdays <@ array[1, 2, 3, 4, 5, 6, 7]),
  daily_from text check (daily_from ~ '^\d\d:\d\d$'),
  daily_to text check (daily_to ~ '^\d\d:\d\d$'),
  audience jsonb not null default '{}' check (jsonb_typeof(audience) = 'object'),
  priority int not null default 50 check (priority between 1 and 99),
  state text not null default 'DRAFT' check (state in ('DRAFT', 'AUDITING', 'APPROVED', 'REJECTED', 'OFFLINE')),
  submitted_by bigint,
  submitted_at timestamptz,
  audited_by bigint,
  audited_at timestamptz,
  opinion text check (char_length(opinion) <= 500),
  offline_reason text not null default '' check (char_length(offline_reason) <= 500),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (id, kind, page_code),
  -- places are called by their page and kind
  check (position_code in (page_code || '_BANNER', page_code || '_FEED', page_code || '_SPLASH', page_code || '_POPUP', page_code || '_FLOAT')),
  check ((kind = 'BANNER') = (position_code like '%\_BANNER')),
  check (end_at > start_at and end_at <= start_at + interval '366 days'),
  check ((daily_from is null) = (daily_to is null) and (daily_from is null or daily_to > daily_from)),
  check ((link_object_id is not null) = (link_type in ('MEDICINE', 'DOCTOR'))),
  check (state in ('DRAFT', 'REJECTED') or image_file_id is not null),
  check (state not in ('AUDITING', 'APPROVED', 'OFFLINE') or submitted_by is not null),
  check (state not in ('APPROVED', 'REJECTED', 'OFFLINE') or audited_by is not null),
  check (audited_by <> submitted_by)
);
create index content_delivery_of_kind on content_delivery (kind, id);
create index content_delivery_place on content_delivery (position_code, state, start_at);
create index content_delivery_page on content_delivery (page_code, end_at) where state = 'APPROVED';
create index content_delivery_end on content_delivery (end_at);

create table content_advert (
  delivery_id bigint primary key,
  kind text not null default 'AD' check (kind = 'AD'),
  page_code text not null,
  sponsor_type text not null check (sponsor_type in ('PHARMA', 'INSURER', 'SELF', 'OTHER')),
  sponsor_name text not null check (char_length(sponsor_name) between 1 and 40),
  ad_class text not null check (ad_class in ('BRAND', 'OTC', 'RX', 'DEVICE', 'SUPPLEMENT', 'SERVICE', 'INSURANCE', 'PUBLIC')),
  approval_no text not null default '' check (char_length(approval_no) <= 60),
  approval_until date,
  approval_file_id bigint,
  disclaimer text not null default '' check (char_length(disclaimer) <= 60),
  cap_per_person_day int not null check (cap_per_person_day between 1 and 20),
  cap_per_person_total int check (cap_per_person_total between 1 and 1000),
  closable boolean not null default true,
  show_seconds int check (show_seconds between 3 and 5),
  budget_type text not null default 'NONE' check (budget_type in ('NONE', 'IMPRESSION', 'CLICK')),
  budget_count bigint check (budget_count >= 1),
  -- counted since it began
  impressions bigint not null default 0 check (impressions >= 0),
  clicks bigint not null default 0 check (clicks >= 0),
  contract_ref text not null default '' check (char_length(contract_ref) <= 40),
  checks jsonb not null default '{}' check (jsonb_typeof(checks) = 'object'),
  foreign key (delivery_id, kind, page_code) references content_delivery (id, kind, page_code) on update cascade on delete cascade,
  check ((budget_type = 'NONE') = (budget_count is null))
);
create index content_advert_approval on content_advert (approval_until);

-- What the law of advertising holds of an advertisement that is audited or shown.
create function content_hold_advert_law() returns trigger language plpgsql as $$
declare
  ad content_advert;
  until timestamptz;
begin
  if new.kind <> 'AD' or new.state not in ('AUDITING', 'APPROVED') then return new; end if;
  select * into ad from content_advert where delivery_id = new.id;
  if not found then raise exception 'an advertisement without its facts'; end if;
  if ad.ad_class = 'RX' and new.page_code not like 'DR\_%' then
    raise exception 'prescription medicines are advertised to doctors alone';
  end if;
  if ad.ad_class in ('OTC', 'RX', 'DEVICE', 'SUPPLEMENT', 'SERVICE') then
    until := (ad.approval_until + 1)::timestamp at time zone 'Asia/Shanghai';
    if ad.approval_no = '' or ad.approval_file_id is null or until is null or new.end_at > until then
      raise exception 'an advertisement is not shown beyond its approval';
    end if;
  end if;
  return new;
end $$;
create trigger content_delivery_law before update on content_delivery for each row execute function content_hold_advert_law();

-- What was shown, clicked and closed, by hour and region (a province; '' where nobody knows).
create table content_stat (
  delivery_id bigint not null references content_delivery (id) on delete cascade,
  day date not null,
  hour int not null check (hour between 0 and 23),
  region text not null default '',
  impressions int not null default 0,
  -- persons who had not seen it before on that day
  viewers int not null default 0,
  clicks int not null default 0,
  closes int not null default 0,
  primary key (delivery_id, day, hour, region)
);
create index content_stat_day on content_stat (day);

-- How often a person saw something on a day; the person by a keyed hash.
create table content_viewing (
  delivery_id bigint not null references content_delivery (id) on delete cascade,
  viewer text not null,
  day date not null,
  shows int not null default 0,
  primary key (delivery_id, viewer, day)
);
create index content_viewing_person on content_viewing (viewer, delivery_id);
create index content_viewing_day on content_viewing (day);

-- What was told already; kept for as long as it may be told again.
create table content_event (
  event_id text primary key,
  track text not null,
  type text not null check (type in ('SHOW', 'CLICK', 'CLOSE')),
  at timestamptz not null,
  unique (track, type)
);
create index content_event_at on content_event (at);

-- Lists are sorted by the heads of these columns; the id follows, as it ends every order.
create index channel_vip_usage_at on channel_vip_usage (at, id);
create index channel_wecom_contact_added on channel_wecom_contact (added_at, id);
create index channel_scene_code_created on channel_scene_code (created_at, id);

import { definePurpose, registerOwner, type OwnerRules, type Reader } from '#domains/files/server/index.ts';
import { channelPermissions as may } from '../contract/permissions.ts';
import { CONTRACT_PURPOSE, MATERIAL_PURPOSE } from '../contract/purposes.ts';
import { seesChannel } from './access.ts';
import { own } from './database.ts';
import { VIP_TARGET } from './vip/save.ts';

const MB = 1024 * 1024;

async function sees({ db, staff }: Reader, vipId: string): Promise<boolean> {
  if (!staff.permissions.has(may['vip.view'].code)) return false;
  return Boolean(
    await own(db)
      .selectFrom('channelVip as v')
      .innerJoin('channelChannel as c', 'c.id', 'v.channelId')
      .select('v.id')
      .where('v.id', '=', vipId)
      .where(seesChannel(staff))
      .executeTakeFirst(),
  );
}

/** Who reads the contracts of a VIP row: whoever sees the row. */
const contracts: OwnerRules = { canRead: sees, canReadOriginal: sees };

/** Says who may upload the files of this domain and who may read them. */
export function declareFiles(): void {
  definePurpose({
    code: CONTRACT_PURPOSE,
    label: '渠道合作协议',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 10,
    sensitive: false,
    uploadPermissions: [may['vip.edit'].code],
  });
  definePurpose({
    code: MATERIAL_PURPOSE,
    label: '二维码与欢迎语素材',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 9,
    sensitive: false,
    compress: true,
    uploadPermissions: [may['code.edit'].code, may['code.batch'].code, may['scene.edit'].code, may['liveCode.edit'].code],
  });
  registerOwner(VIP_TARGET, contracts);
}

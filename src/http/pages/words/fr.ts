import type { Words } from "./words.ts";

export const fr: Words = {
  language: "fr",
  locale: "fr",
  gone: {
    title: "Cette carte n’est plus valable",
    text: "Son émetteur l’a retirée. Si vous pensez qu’il s’agit d’une erreur, adressez-vous à la personne qui vous l’a donnée.",
  },
  missing: {
    title: "Il n’y a pas de carte ici",
    text: "Vérifiez le lien. Il a peut-être été coupé lors de la copie ou du transfert.",
  },
  paid: {
    title: "Merci",
    text: "Le paiement est en route. Votre achat sera disponible dès son arrivée. Vous pouvez fermer cette page.",
  },
  status: {
    preparing: "Votre carte est en préparation. Cette page s’actualise jusqu’à ce qu’elle soit prête.",
    updating:
      "De nouvelles informations arrivent. Une carte déjà présente dans votre portefeuille change d’elle-même.",
    failed: "Cette carte n’a pu être placée dans aucun portefeuille. Adressez-vous à son émetteur.",
    revoking: "Cette carte est en cours de retrait et ne peut plus être ajoutée.",
  },
  idle: {
    preparing: "en préparation",
    failed: "indisponible pour le moment",
    withdrawn: "n’est plus disponible",
    absent: "non proposé pour cette carte",
  },
  add: (wallet) => `Ajouter à ${wallet}`,
  testOnly: "Test uniquement : seuls les comptes de test de l’émetteur peuvent l’enregistrer",
  actions: "Ajouter à un portefeuille",
  front: "Recto de la carte",
  pageCode: "Code QR contenant l’adresse de cette page",
  towards: "vers",
  codes: {
    qr: "Code QR",
    pdf417: "Code-barres PDF417",
    aztec: "Code Aztec",
    code128: "Code-barres Code 128",
  },
  handOver: {
    title: "Continuez sur votre téléphone",
    text: "Visez ce code avec son appareil photo, puis ajoutez la carte à votre portefeuille.",
  },
  message: "Message de l’émetteur",
  more: "En savoir plus sur cette carte",
  issuedBy: "Émise par",
  lastChanged: "Dernière modification :",
  expired: "Cette carte a expiré. Elle était valable jusqu’au",
};

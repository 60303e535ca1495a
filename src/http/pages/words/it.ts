import type { Words } from "./words.ts";

export const it: Words = {
  language: "it",
  locale: "it",
  gone: {
    title: "Questo pass non è più valido",
    text: "Chi lo ha emesso lo ha ritirato. Se pensa che sia un errore, si rivolga a chi glielo ha dato.",
  },
  missing: {
    title: "Qui non c’è nessun pass",
    text: "Controlli il link. Forse è stato troncato quando è stato copiato o inoltrato.",
  },
  paid: {
    title: "Grazie",
    text: "Il pagamento è in arrivo. Appena lo riceviamo, il suo acquisto è pronto. Può chiudere questa pagina.",
  },
  status: {
    preparing: "Il suo pass è in preparazione. Questa pagina si aggiorna da sola finché non è pronto.",
    updating: "Sono in arrivo nuovi dati. Un pass che è già nel wallet cambia da solo.",
    failed: "Non è stato possibile mettere questo pass in un wallet. Chieda aiuto a chi lo ha emesso.",
    revoking: "Questo pass sta per essere ritirato e non può più essere aggiunto.",
  },
  idle: {
    preparing: "in preparazione",
    failed: "al momento non disponibile",
    withdrawn: "non più disponibile",
    absent: "non previsto per questo pass",
  },
  add: (wallet) => `Aggiungi a ${wallet}`,
  testOnly: "Solo per prova: possono salvarlo solo gli account di prova di chi lo ha emesso",
  actions: "Aggiungi a un wallet",
  front: "Fronte del pass",
  pageCode: "Codice QR con l’indirizzo di questa pagina",
  towards: "a",
  codes: {
    qr: "Codice QR",
    pdf417: "Codice a barre PDF417",
    aztec: "Codice Aztec",
    code128: "Codice a barre Code 128",
  },
  handOver: {
    title: "Continui sul telefono",
    text: "Inquadri questo codice con la fotocamera, poi aggiunga il pass al wallet.",
  },
  message: "Messaggio di chi lo ha emesso",
  more: "Altro su questo pass",
  issuedBy: "Emesso da",
  lastChanged: "Ultima modifica:",
  expired: "Questo pass è scaduto. Era valido fino al",
};
